// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {BPS, FeeAction, PayWith, Wiring} from "./Types.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";
import {IStakingVault} from "./interfaces/IStakingVault.sol";

/// @title PaymentGateway
/// @notice See IPaymentGateway. Fees are collected in one transfer and split later, so that post and claim stay cheap.
contract PaymentGateway is IPaymentGateway, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint16 public constant BURN_BPS = 4_000;
    uint16 public constant STAKE_BPS = 4_000;
    uint64 public constant FLUSH_INTERVAL = 1 days;
    /// @dev The lowest access fee is this part of the highest.
    uint96 private constant LOWEST_FEE_PART = 10;

    IERC20 public immutable tok;
    IERC20 public immutable usdc;
    IPricingPolicy public immutable policy;
    IStakingVault public immutable staking;
    address public immutable registry;
    address public immutable escrow;
    address public immutable court;
    address public immutable treasury;
    /// @dev The policy's highest fee and its period never change, so they are copied into this contract's code.
    uint96 public immutable maxAccessFee;
    uint16 private immutable _periodDays;

    /// @dev One slot, which a fee in TOK reads anyway.
    uint64 public lastFlush;
    uint96 public accessFee;

    constructor(Wiring memory wiring) {
        tok = IERC20(wiring.tok);
        usdc = IERC20(wiring.usdc);
        policy = IPricingPolicy(wiring.policy);
        staking = IStakingVault(wiring.staking);
        registry = wiring.registry;
        escrow = wiring.escrow;
        court = wiring.court;
        treasury = wiring.treasury;
        uint96 highest = policy.maxAccessFee();
        maxAccessFee = highest;
        accessFee = highest;
        _periodDays = policy.PERIOD_DAYS();
        lastFlush = uint64(block.timestamp);
    }

    /// @inheritdoc IPaymentGateway
    function collectAccessFee(address payer, FeeAction action, uint256 taskId) external nonReentrant {
        // Check:
        require(msg.sender == registry, NotAuthorized(msg.sender));

        // Interaction:
        uint96 fee = accessFee;
        bool withCredits = staking.consumeCredits(payer, fee);
        emit AccessFeePaid(payer, action, taskId, fee, withCredits);
        if (withCredits) return;
        tok.safeTransferFrom(payer, address(this), fee);
        // A daily split leaves no backlog that somebody could stake for just in time.
        if (block.timestamp >= lastFlush + FLUSH_INTERVAL) _flush();
    }

    /// @inheritdoc IPaymentGateway
    function pull(address payer, uint256 amount) external nonReentrant {
        // Check:
        require(
            msg.sender == escrow || msg.sender == court || msg.sender == address(staking),
            NotAuthorized(msg.sender)
        );

        // Interaction:
        uint256 before = tok.balanceOf(msg.sender);
        tok.safeTransferFrom(payer, msg.sender, amount);
        uint256 received = tok.balanceOf(msg.sender) - before;
        require(received >= amount, Insolvent(received, amount));
    }

    /// @inheritdoc IPaymentGateway
    function setAccessFee(uint96 fee) external {
        // Check:
        require(msg.sender == Ownable(address(policy)).owner(), NotAuthorized(msg.sender));
        require(fee <= maxAccessFee && fee >= maxAccessFee / LOWEST_FEE_PART, BadFee(fee));

        // Effect:
        accessFee = fee;
        emit AccessFeeSet(fee);
    }

    /// @inheritdoc IPaymentGateway
    function flush() external nonReentrant {
        // Effect, Interaction:
        _flush();
    }

    /// @inheritdoc IPaymentGateway
    function purchasePlan(
        bytes32 tier,
        PayWith payWith,
        uint256 maxPay,
        uint32 minDailyLimit,
        uint16 minDays
    ) external nonReentrant returns (uint256 paid) {
        // Check:
        (uint256 listUsdc, , , uint256 tokAmount, bool tokAllowed) = policy.quote(tier);
        require(listUsdc != 0, FreePlan(tier));
        require(payWith == PayWith.USDC || tokAllowed, TokNotAllowed(tier));
        paid = payWith == PayWith.TOK ? tokAmount : listUsdc;
        require(paid <= maxPay, PriceAboveMax(paid, maxPay));
        uint32 dailyLimit = policy.planOf(tier).dailyLimit;
        require(dailyLimit >= minDailyLimit && _periodDays >= minDays, PlanBelowMin(dailyLimit, _periodDays));

        // Interaction:
        emit PlanPurchased(msg.sender, tier, payWith, paid, listUsdc, dailyLimit, _periodDays);
        if (payWith == PayWith.TOK) tok.safeTransferFrom(msg.sender, address(this), paid);
        else usdc.safeTransferFrom(msg.sender, treasury, paid);
    }

    /// @inheritdoc IPaymentGateway
    function pendingFees() public view returns (uint256) {
        return tok.balanceOf(address(this));
    }

    function _flush() private {
        // Check:
        uint256 pending = pendingFees();
        if (pending == 0) return;

        // Effect:
        lastFlush = uint64(block.timestamp);
        uint256 burned = (pending * BURN_BPS) / BPS;
        uint256 toStaking = (pending * STAKE_BPS) / BPS;
        uint256 toTreasury = pending - burned - toStaking;
        // Before staking starts nobody could ever claim the stakers' share.
        if (!staking.stakingActive()) (burned, toStaking) = (burned + toStaking, 0);
        emit FeesFlushed(burned, toStaking, toTreasury);

        // Interaction:
        ERC20Burnable(address(tok)).burn(burned);
        if (toStaking != 0) {
            tok.safeTransfer(address(staking), toStaking);
            staking.addReward(toStaking);
        }
        tok.safeTransfer(treasury, toTreasury);
    }
}
